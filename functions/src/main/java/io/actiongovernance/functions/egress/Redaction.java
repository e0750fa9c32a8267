package io.actiongovernance.functions.egress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.json.Json;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;

/**
 * Removes credentials from the responses of source systems, because some echo what they were sent.
 * Immutable; thread-safe.
 */
public final class Redaction {
  private static final String REDACTED = "[redacted]";
  private static final int LONGEST_EXCERPT = 500;
  private static final List<Charset> UTF_8_ALONE = List.of(StandardCharsets.UTF_8);
  private static final List<Charset> ENCODINGS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE);

  private final List<String> secrets;

  public Redaction(Credentials credentials) {
    this(secrets(credentials));
  }

  public Redaction(List<String> inClear) {
    List<String> forms = new ArrayList<>();
    for (String secret : inClear) {
      forms.add(secret);
      forms.add(URLEncoder.encode(secret, StandardCharsets.UTF_8));
      forms.add(Outbound.encode(secret));
      String once = escaped(secret);
      // Some systems also escape the slash, and some nest JSON in JSON.
      for (String form : List.of(once, once.replace("/", "\\/"))) {
        forms.add(form);
        forms.add(escaped(form));
        forms.add(escaped(form).replace("/", "\\/"));
      }
    }
    this.secrets =
        forms.stream()
            .filter(form -> !form.isEmpty())
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  private static String escaped(String text) {
    String quoted = Json.write(text);
    return quoted.substring(1, quoted.length() - 1);
  }

  private static List<String> secrets(Credentials credentials) {
    List<String> secrets = new ArrayList<>(credentials.secrets());
    if (credentials instanceof Credentials.Basic basic) {
      secrets.add(basicToken(basic));
    }
    return secrets;
  }

  static String basicToken(Credentials.Basic basic) {
    byte[] both = (basic.username() + ":" + basic.password()).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(both);
  }

  public String text(String text) {
    String clean = text;
    for (String secret : secrets) {
      clean = clean.replace(secret, REDACTED);
    }
    return clean;
  }

  /** Removes credentials from any bytes, such as a text, or an image that contains a secret. */
  public byte[] bytes(byte[] bytes) {
    String one = new String(bytes, StandardCharsets.ISO_8859_1);
    String clean = one;
    // Only in UTF-16 text does each character of a secret contain a zero byte.
    for (Charset charset : one.indexOf(0) < 0 ? UTF_8_ALONE : ENCODINGS) {
      for (String secret : secrets) {
        clean = clean.replace(byteForByte(secret, charset), byteForByte(REDACTED, charset));
      }
    }
    return clean.equals(one) ? bytes : clean.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Maps each byte to one character, so that binary data is preserved. */
  private static String byteForByte(String text, Charset charset) {
    return new String(text.getBytes(charset), StandardCharsets.ISO_8859_1);
  }

  /** The beginning of a text, on one line and without credentials. */
  public String excerpt(String text) {
    String line = text(text).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    if (line.length() <= LONGEST_EXCERPT) {
      return line;
    }
    boolean splitsPair = Character.isHighSurrogate(line.charAt(LONGEST_EXCERPT - 1));
    return line.substring(0, splitsPair ? LONGEST_EXCERPT - 1 : LONGEST_EXCERPT) + "…";
  }

  /** The tree without credentials in its names and strings. */
  public JsonNode tree(JsonNode node) {
    if (secrets.isEmpty()) {
      return node;
    }
    return switch (node) {
      case TextNode text -> TextNode.valueOf(text(text.textValue()));
      case ObjectNode object -> {
        ObjectNode clean = Json.object();
        object
            .properties()
            .forEach(member -> clean.set(text(member.getKey()), tree(member.getValue())));
        yield clean;
      }
      case ArrayNode array -> {
        ArrayNode clean = array.arrayNode();
        array.forEach(element -> clean.add(tree(element)));
        yield clean;
      }
      default -> node;
    };
  }
}
