package io.actiongovernance.functions.console;

import io.actiongovernance.functions.route.Opener;
import io.actiongovernance.functions.route.PackagedFunction;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.settings.BaseUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The console as it was packaged (contract for people, section 4): {@code GET /console}, the page,
 * and {@code GET /console/{build}/{file+}}, its files, which are kept for good, since {@code build}
 * is the hash of them all. It reads what it is asked for when it is asked, so that no route's
 * function starts later for it. Immutable.
 */
public final class Console implements PackagedFunction.Packaged {
  /** The name of its function. */
  public static final String FUNCTION = "console";

  private static final String PAGE = "/console";

  /** The templates of its paths. */
  public static final List<String> PATHS = List.of(PAGE, PAGE + "/{build}/{file+}");

  private static final String FOLDER = "/console/";

  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private final boolean local;

  /**
   * @param baseUrl where it is served
   */
  public Console(URI baseUrl) {
    this.local = BaseUrl.isLoopback(baseUrl);
  }

  @Override
  public boolean has(String path) {
    return path.equals(PAGE) || path.startsWith(PAGE + "/");
  }

  @Override
  public Optional<Reply> find(String path, Opener opener) {
    if (path.equals(PAGE)) {
      return Optional.of(new Reply.Page(page(opener), loads(text("import-map").strip())));
    }
    String files = PAGE + "/" + text("build").strip() + "/";
    return Optional.of(path)
        .filter(asked -> asked.startsWith(files))
        .map(asked -> asked.substring(files.length()))
        .filter(name -> text("files").lines().anyMatch(name::equals))
        .map(Console::asset);
  }

  /**
   * The page; on a local stack it says that its user opened it, and may then redeem a ticket
   * without a question (ADR 44).
   */
  private String page(Opener opener) {
    String page = text("page.html");
    return local && opener == Opener.USER
        ? page.replaceFirst("<html ", "<html data-opened=\"by-hand\" ")
        : page;
  }

  /**
   * What the page may load: from here alone, and the one script that stands in it, which says where
   * modules are, by its hash. A form goes to programs on the reader's own machine alone, as to the
   * command line that asks for a key.
   */
  private static String loads(String importMapHash) {
    return "default-src 'none'; script-src 'self' 'sha256-%s'; style-src 'self'; img-src 'self';"
            .formatted(importMapHash)
        + " connect-src 'self'; form-action http://127.0.0.1:*; require-trusted-types-for 'script'; trusted-types lit-html";
  }

  private static Reply asset(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1);
    return new Reply.Asset(Objects.requireNonNull(TYPES.get(ending), name), bytes(name + ".gz"));
  }

  private static String text(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String name) {
    try (InputStream in = Console.class.getResourceAsStream(FOLDER + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
