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
 * The packaged console (contract for people, section 4): the page {@code GET /console}, and its
 * files {@code GET /console/{build}/{file+}}. The files may be cached forever, because {@code
 * build} is the hash of all files. The root redirects to the page. Files are read on request, so
 * that they do not slow down the start of any route's function. Immutable.
 */
public final class Console implements PackagedFunction.Packaged {
  /** The name of the console's function. */
  public static final String FUNCTION = "console";

  private static final String PAGE = "/console";
  private static final String ROOT = "/";

  /** The path templates of the console. */
  public static final List<String> PATHS = List.of(PAGE, PAGE + "/{build}/{file+}");

  private static final String FOLDER = "/console/";

  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private final URI baseUrl;
  private final boolean local;

  /**
   * @param baseUrl the service root
   */
  public Console(URI baseUrl) {
    this.baseUrl = baseUrl;
    this.local = BaseUrl.isLoopback(baseUrl);
  }

  @Override
  public boolean has(String path) {
    return path.equals(ROOT) || path.equals(PAGE) || path.startsWith(PAGE + "/");
  }

  @Override
  public Optional<Reply> find(String path, Opener opener) {
    if (path.equals(PAGE)) {
      return Optional.of(new Reply.Page(page(opener), loads(text("import-map").strip())));
    }
    if (path.equals(ROOT)) {
      return Optional.of(Reply.Redirect.found(BaseUrl.at(baseUrl, PAGE)));
    }
    String files = PAGE + "/" + text("build").strip() + "/";
    return Optional.of(path)
        .filter(asked -> asked.startsWith(files))
        .map(asked -> asked.substring(files.length()))
        .filter(name -> text("files").lines().anyMatch(name::equals))
        .map(Console::asset);
  }

  /**
   * The page. On a local stack, it states whether its user opened it by hand; it may then redeem a
   * ticket without asking (ADR 44).
   */
  private String page(Opener opener) {
    String page = text("page.html");
    return local && opener == Opener.USER
        ? page.replaceFirst("<html ", "<html data-opened=\"by-hand\" ")
        : page;
  }

  /**
   * The page's content security policy. It permits only resources of this origin, and the one
   * inline script, the import map, by its hash. Forms may be sent only to programs on the reader's
   * own machine, such as a command line that asks for a key.
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
