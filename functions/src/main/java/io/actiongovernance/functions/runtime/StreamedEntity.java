package io.actiongovernance.functions.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.functions.route.StreamBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.apache.hc.core5.function.Supplier;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.message.BasicHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer as a chunked request body. If it fails halfway, the body ends there. The trailers then
 * report the reason, because the Runtime API has no other place for it. Only one thread may use it.
 */
final class StreamedEntity implements HttpEntity {
  private static final Logger LOG = LoggerFactory.getLogger(StreamedEntity.class);

  private final String mediaType;
  private final StreamBody answer;
  private @Nullable Exception failure;

  StreamedEntity(String mediaType, StreamBody answer) {
    this.mediaType = mediaType;
    this.answer = answer;
  }

  @Override
  public void writeTo(OutputStream out) {
    try {
      answer.writeTo(out);
    } catch (IOException | RuntimeException e) {
      LOG.warn("An answer ended before its end", e);
      failure = e;
    }
  }

  @Override
  public Supplier<List<? extends Header>> getTrailers() {
    return () -> {
      Exception cause = failure;
      if (cause == null) {
        return List.of();
      }
      String body = Base64.getEncoder().encodeToString(RuntimeApi.error(cause).getBytes(UTF_8));
      return List.of(
          new BasicHeader(RuntimeApi.ERROR_TYPE, RuntimeApi.errorType(cause)),
          new BasicHeader(RuntimeApi.ERROR_BODY, body));
    };
  }

  @Override
  public Set<String> getTrailerNames() {
    return Set.of(RuntimeApi.ERROR_TYPE, RuntimeApi.ERROR_BODY);
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public boolean isStreaming() {
    return true;
  }

  @Override
  public boolean isChunked() {
    return true;
  }

  @Override
  public long getContentLength() {
    return -1;
  }

  @Override
  public String getContentType() {
    return mediaType;
  }

  @Override
  public @Nullable String getContentEncoding() {
    return null;
  }

  @Override
  public InputStream getContent() {
    throw new UnsupportedOperationException("It is written, not read.");
  }

  /** Does nothing, because the answer's owner closes it. */
  @Override
  public void close() {}
}
