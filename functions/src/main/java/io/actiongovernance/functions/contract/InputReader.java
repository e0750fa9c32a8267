package io.actiongovernance.functions.contract;

import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.time.Timestamps;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request into the input record that its handler declares: first the query and the headers,
 * then the body. Each component is read by its type and its {@link Field}; then the record's
 * constructor checks rules across fields. The path comes last, because a malformed identifier means
 * not found. Nothing but the request is read. Thread-safe.
 *
 * @param <I> the record
 */
public final class InputReader<I> {
  private static final Set<Class<?>> FLAGS = Set.of(boolean.class, Boolean.class);
  private static final String WHOLE = "0|[1-9][0-9]{0,8}";
  private static final String VERSION = "[1-9][0-9]{0,17}";

  private final RecordMaker<I> maker;
  private final List<Part> parts;
  private final Set<String> pathParameters;
  private final boolean inQuery;
  private final String ignoresOthersBeside;

  private InputReader(Class<I> type, Set<String> pathParameters, boolean inQuery) {
    Whole whole = type.getAnnotation(Whole.class);
    this.maker = RecordMaker.of(type);
    this.parts = Part.of(type);
    this.pathParameters = Set.copyOf(pathParameters);
    this.inQuery = inQuery;
    this.ignoresOthersBeside = whole == null ? "" : whole.ignoresOthersBeside();
  }

  /**
   * Makes a reader of an input record.
   *
   * @param pathParameters the names in the route's path
   * @param inQuery whether components outside path and headers are in the query, not in the body
   */
  public static <I> InputReader<I> of(Class<I> type, Set<String> pathParameters, boolean inQuery) {
    return new InputReader<>(type, pathParameters, inQuery);
  }

  /**
   * Reads a request's input.
   *
   * @throws Problem that names the first component that is missing or violates its rule
   */
  public I read(RequestParts request) {
    List<@Nullable Object> values = new ArrayList<>();
    if (!inQuery) {
      parts.stream()
          .filter(part -> place(part) == Field.In.QUERY)
          .forEach(part -> request.query(part.name()));
      request.noOtherQuery();
    }
    Fields body = request.body();
    for (Part part : parts) {
      values.add(pathParameters.contains(part.name()) ? null : value(part, request, body));
    }
    boolean ignored = !ignoresOthersBeside.isEmpty() && request.query(ignoresOthersBeside) != null;
    if (inQuery && !ignored) {
      request.noOtherQuery();
    }
    body.done();
    for (int at = 0; at < parts.size(); at++) {
      if (pathParameters.contains(parts.get(at).name())) {
        values.set(at, inPath(parts.get(at), request.path(parts.get(at).name())));
      }
    }
    return maker.make(values);
  }

  private @Nullable Object value(Part part, RequestParts request, Fields body) {
    if (part.raw() == PageParameters.class) {
      return request.page();
    }
    return switch (place(part)) {
      case HEADER -> text(part, request.header(part.name()));
      case QUERY -> text(part, request.query(part.name()));
      case DEFAULT -> BodyReader.read(body, part);
    };
  }

  private Field.In place(Part part) {
    Field.In said = part.field() == null ? Field.In.DEFAULT : part.field().in();
    return said == Field.In.DEFAULT && inQuery ? Field.In.QUERY : said;
  }

  /** Parses a value from the query or a header. */
  private static @Nullable Object text(Part part, @Nullable String text) {
    if (text == null) {
      if (part.isRequired()) {
        throw Problem.missing(part.name());
      }
      return null;
    }
    Class<?> type = part.raw();
    Optional<?> read;
    if (type == java.time.Instant.class) {
      read = Timestamps.parse(text);
    } else if (FLAGS.contains(type)) {
      read = flag(text);
    } else if (type == Long.class) {
      read = version(text);
    } else if (type == Integer.class) {
      read = whole(part, text);
    } else {
      read = Texts.parse(part, type, text);
    }
    return read.orElseThrow(
        () -> Problem.invalid(part.name(), part.name() + " must be " + Texts.rule(part) + "."));
  }

  private static Optional<Boolean> flag(String text) {
    return switch (text) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static Optional<Long> version(String text) {
    return text.matches(VERSION) ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }

  private static Optional<Integer> whole(Part part, String text) {
    return text.matches(WHOLE)
        ? Optional.of(Integer.valueOf(text))
            .filter(number -> number >= part.said().min() && number <= part.said().max())
        : Optional.empty();
  }

  private static Object inPath(Part part, String text) {
    if (part.raw() == String.class) {
      return text;
    }
    Method parser = Wire.parser(part.raw());
    Optional<?> read = parser == null ? version(text) : Wire.parse(parser, text);
    return read.orElseThrow(() -> new Problem(new Refusal.NotFound(Texts.noun(part))));
  }
}
