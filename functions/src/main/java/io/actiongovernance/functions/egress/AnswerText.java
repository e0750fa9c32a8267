package io.actiongovernance.functions.egress;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the text of a response. The first bytes decide, whatever the headers say, whether it is
 * UTF-8, or UTF-16 or UTF-32 with or without a byte order mark. If it is none of these, the charset
 * of its content type counts. Stateless.
 */
final class AnswerText {
  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s\";]+)", Pattern.CASE_INSENSITIVE);

  private AnswerText() {}

  /** Decodes these bytes; a byte order mark is omitted. */
  static String of(byte[] bytes, int length, @Nullable String contentType) {
    String text = decoded(bytes, length, contentType);
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static String decoded(byte[] bytes, int length, @Nullable String contentType) {
    Charset shown = shown(bytes, length);
    if (shown != null) {
      return new String(bytes, 0, length, shown);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      return new String(bytes, 0, length, named(contentType));
    }
  }

  /**
   * Detects a charset by the zero bytes of the first character, because JSON begins with white
   * space or ASCII.
   */
  private static @Nullable Charset shown(byte[] bytes, int length) {
    int first = at(bytes, length, 0) << 8 | at(bytes, length, 1);
    int second = at(bytes, length, 2) << 8 | at(bytes, length, 3);
    if (length >= 4 && second == 0 && (first == 0xFFFE || isLittleAscii(first))) {
      return Charset.forName("UTF-32LE");
    }
    if (length >= 4 && first == 0 && (second == 0xFEFF || isBigAscii(second))) {
      return Charset.forName("UTF-32BE");
    }
    if (length >= 2 && (first == 0xFFFE || isLittleAscii(first))) {
      return StandardCharsets.UTF_16LE;
    }
    return length >= 2 && (first == 0xFEFF || isBigAscii(first)) ? StandardCharsets.UTF_16BE : null;
  }

  private static int at(byte[] bytes, int length, int place) {
    return place < length ? bytes[place] & 0xff : 0;
  }

  private static boolean isLittleAscii(int unit) {
    return unit > 0xff && (unit & 0xff) == 0 && unit >> 8 < 0x80;
  }

  private static boolean isBigAscii(int unit) {
    return unit > 0 && unit < 0x80;
  }

  private static Charset named(@Nullable String contentType) {
    Matcher named = CHARSET.matcher(contentType == null ? "" : contentType);
    try {
      return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return StandardCharsets.UTF_8;
    }
  }
}
