package io.actiongovernance.infra;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.constructs.Node;

/**
 * The API's own host name. It belongs to an account, so it is not part of the code: {@code -c
 * domain=api.example.com -c certificate=arn:aws:acm:…}.
 *
 * @param name the host name
 * @param certificate the ARN of its certificate, in the region of the deployment
 */
public record Domain(String name, String certificate) {
  private static final Pattern CERTIFICATE = Pattern.compile("arn:[a-z-]+:acm:([a-z0-9-]+):.+");

  public Domain {
    if (name.isBlank() || !CERTIFICATE.matcher(certificate).matches()) {
      throw new IllegalArgumentException(
          "A domain needs both -c domain=HOST and -c certificate=ARN, of a certificate for HOST.");
    }
  }

  String region() {
    Matcher matcher = CERTIFICATE.matcher(certificate);
    if (!matcher.matches()) {
      throw new IllegalStateException(certificate);
    }
    return matcher.group(1);
  }

  /** The domain that the command line specifies; null if none. */
  static @Nullable Domain of(Node app) {
    String name = text(app, "domain");
    String certificate = text(app, "certificate");
    return name.isEmpty() && certificate.isEmpty() ? null : new Domain(name, certificate);
  }

  private static String text(Node app, String key) {
    return app.tryGetContext(key) instanceof String text ? text : "";
  }
}
