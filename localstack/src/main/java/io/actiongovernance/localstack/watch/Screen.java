package io.actiongovernance.localstack.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes one line for each thing that happened. Lines are for people, with or without colours, or
 * JSON: {@code {"kind":"event","data":{…}}}. Thread-safe.
 */
final class Screen {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  private final PrintWriter out;
  private final Style style;
  private final InstantSource clock;

  Screen(PrintWriter out, Style style, InstantSource clock) {
    this.out = out;
    this.style = style;
    this.clock = clock;
  }

  enum Style {
    PLAIN,
    COLOURED,
    JSON
  }

  enum Kind {
    EVENT,
    PLAN,
    ACTION;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The kind of news in a line, with its ANSI colour. */
  enum Mood {
    NEW("36"),
    WAITING("33"),
    GOOD("32"),
    BAD("31");

    private final String code;

    Mood(String code) {
      this.code = code;
    }
  }

  /**
   * @param data the object of the API
   * @param text the line for people
   */
  synchronized void line(Kind kind, Mood mood, JsonNode data, String text) {
    out.println(
        switch (style) {
          case JSON -> Json.write(Json.object().put("kind", kind.wire()).set("data", data));
          case PLAIN -> time() + "  " + head(kind) + clean(text);
          case COLOURED ->
              "\033[2m"
                  + time()
                  + "\033[0m  \033[1;"
                  + mood.code
                  + "m"
                  + head(kind)
                  + "\033[0m"
                  + clean(text);
        });
    out.flush();
  }

  private String time() {
    return TIME.format(clock.instant().atZone(ZoneId.systemDefault()));
  }

  private static String head(Kind kind) {
    return String.format(Locale.ROOT, "%-8s", kind.wire());
  }

  /** Replaces control characters, so that a sender of events cannot control the terminal. */
  private static String clean(String text) {
    return text.replaceAll("\\p{C}", "\ufffd");
  }
}
