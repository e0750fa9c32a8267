package io.actiongovernance.functions.egress;

import io.actiongovernance.connector.WholeAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Makes one HTTP request to a source system or a webhook endpoint, behind the egress guard. It
 * connects to the exact address that the guard checked, without redirects, proxies, cookies or
 * retries. One deadline limits the whole exchange, including the look-up of the name. It reads at
 * most {@value #LONGEST_BODY} bytes unless the reader wants more, and {@value #LONGEST_WHOLE} bytes
 * if the whole response is wanted.
 *
 * <p>Every request has its own connection, so none can fail because an old one was closed.
 * Thread-safe.
 */
public final class OutboundClient implements AutoCloseable {
  /** The most bytes read of a response, unless its reader specifies another limit. */
  public static final int LONGEST_BODY = 1 << 20;

  /** The most bytes read of a response that is wanted whole. */
  static final int LONGEST_WHOLE = WholeAnswer.LONGEST;

  private static final Timeout CONNECT = Timeout.ofSeconds(5);
  private static final int CONNECTIONS = 500;
  private static final String DEPARTURE = "governance.departure";

  private final CloseableHttpClient https;
  private final CloseableHttpClient http;

  @FunctionalInterface
  public interface Lookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  public OutboundClient(EgressGuard guard, SSLContext tls) {
    this(guard, tls, InetAddress::getAllByName);
  }

  public OutboundClient(EgressGuard guard, SSLContext tls, Lookup lookup) {
    // Each scheme has its own client, because the guard decides by scheme and the resolver does not
    // know it.
    this.https = client(new GuardedResolver(guard, lookup, "https"), tls);
    this.http = client(new GuardedResolver(guard, lookup, "http"), tls);
  }

  private static CloseableHttpClient client(DnsResolver resolver, SSLContext tls) {
    return HttpClients.custom()
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(resolver)
                .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
                .setDefaultConnectionConfig(
                    ConnectionConfig.custom().setConnectTimeout(CONNECT).build())
                .setMaxConnTotal(CONNECTIONS)
                .setMaxConnPerRoute(CONNECTIONS)
                .build())
        .setConnectionReuseStrategy((request, response, context) -> false)
        .setUserAgent("action-governance")
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableContentCompression()
        .addExecInterceptorBefore(
            // Here the connection and its TLS are ready, and no byte of the request has been sent.
            ChainElement.MAIN_TRANSPORT.name(),
            DEPARTURE,
            (request, scope, chain) -> {
              if (scope.clientContext.getAttribute(DEPARTURE) instanceof Departure departure) {
                departure.leave();
              }
              return chain.proceed(request, scope);
            })
        .build();
  }

  /** Looks a name up once, and returns only addresses to which connections are permitted. */
  private record GuardedResolver(EgressGuard guard, Lookup lookup, String scheme)
      implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      return guard.admit(lookup.addresses(host), host, scheme);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  /**
   * The progress of one request. Its first byte is sent only if the request has not been given up,
   * so a request reported as not sent is never sent. Thread-safe.
   */
  private static final class Departure {
    private enum Stage {
      /** The name is being looked up, or the connection is being made. */
      PREPARING,
      /** The connection is ready; the permit is being checked. */
      ASKING,
      SENT,
      GIVEN_UP
    }

    private final BooleanSupplier permit;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.PREPARING);
    private volatile Exchange.@Nullable Answered begun;

    Departure(BooleanSupplier permit) {
      this.permit = permit;
    }

    /** Lets the request be sent, or throws if it may not be. */
    void leave() throws IOException {
      boolean leaves =
          stage.compareAndSet(Stage.PREPARING, Stage.ASKING)
              && permit.getAsBoolean()
              && stage.compareAndSet(Stage.ASKING, Stage.SENT);
      if (!leaves) {
        throw new IOException("The request must not be sent.");
      }
    }

    void answered(Exchange.Answered head) {
      begun = head;
    }

    /** Gives up the request, and returns the outcome that results. */
    Exchange end(String why) {
      Stage reached = stage.getAndUpdate(at -> at == Stage.SENT ? at : Stage.GIVEN_UP);
      return switch (reached) {
        case PREPARING, GIVEN_UP -> new Exchange.NotSent(why);
        case ASKING -> new Exchange.Withheld("the request may not be made now");
        case SENT -> new Exchange.Lost(why, begun);
      };
    }
  }

  /** Decides when enough of a response has been read. */
  @FunctionalInterface
  public interface Enough {
    /**
     * @param bytes contains the next bytes of the response
     * @param count the number of these bytes, from the start of the array
     */
    boolean after(byte[] bytes, int count);

    /** The most bytes to read. */
    default int longest() {
      return LONGEST_BODY;
    }
  }

  /**
   * Makes the request.
   *
   * @param within the time limit of the whole exchange
   */
  public Exchange exchange(Outbound outbound, Duration within) {
    return exchange(outbound, within, () -> true);
  }

  /**
   * Makes a request that may be stopped.
   *
   * @param permit whether the request may be sent; called when the connection and its TLS are
   *     ready, immediately before the request's first byte
   */
  public Exchange exchange(Outbound outbound, Duration within, BooleanSupplier permit) {
    return exchange(outbound, within, permit, (bytes, count) -> false);
  }

  /** Makes a request whose response may continue after the part that is wanted. */
  public Exchange exchange(
      Outbound outbound, Duration within, BooleanSupplier permit, Enough enough) {
    if (within.toMillis() < 1) {
      return new Exchange.NotSent("no time was left to send the request");
    }
    HttpUriRequestBase request = request(outbound, within);
    Departure departure = new Departure(permit);
    FutureTask<Exchange> exchange =
        new FutureTask<>(() -> open(outbound, request, departure, enough));
    Thread.ofVirtual().name("exchange").start(exchange);
    try {
      return exchange.get(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Stop waiting wherever the exchange is stuck, even in a name look-up.
      Exchange ended = departure.end("it did not answer in time");
      request.abort();
      return ended;
    } catch (InterruptedException e) {
      Exchange ended = departure.end("the request was interrupted");
      request.abort();
      Thread.currentThread().interrupt();
      return ended;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static HttpUriRequestBase request(Outbound outbound, Duration within) {
    HttpUriRequestBase request = new HttpUriRequestBase(outbound.method(), outbound.url());
    request.setHeader("Accept-Encoding", "identity");
    outbound.headers().forEach(request::setHeader);
    String body = outbound.body();
    if (body != null) {
      request.setEntity(
          new ByteArrayEntity(
              body.getBytes(StandardCharsets.UTF_8), ContentType.create(outbound.contentType())));
    }
    request.setConfig(
        RequestConfig.custom()
            .setResponseTimeout(Timeout.ofMilliseconds(within.toMillis()))
            .build());
    return request;
  }

  private Exchange open(
      Outbound outbound, HttpUriRequestBase request, Departure departure, Enough enough) {
    HttpClientContext context = HttpClientContext.create();
    context.setAttribute(DEPARTURE, departure);
    boolean plain = "http".equals(outbound.url().getScheme().toLowerCase(Locale.ROOT));
    Exchange answered = null;
    try (ClassicHttpResponse response =
        (plain ? http : https).executeOpen(null, request, context)) {
      Exchange.Answered head = head(response);
      departure.answered(head);
      answered = read(outbound, request, response.getEntity(), head, enough);
      return answered;
    } catch (IOException | RuntimeException e) {
      if (answered != null) {
        // Only closing failed, which can happen if reading stopped early.
        return answered;
      }
      // The client reports an aborted request as a failure of the step that was aborted.
      return e instanceof EgressGuard.Refused refused
          ? new Exchange.Forbidden(refused.why())
          : departure.end(Failures.why(e));
    }
  }

  private static Exchange read(
      Outbound outbound,
      HttpUriRequestBase request,
      @Nullable HttpEntity entity,
      Exchange.Answered head,
      Enough enough)
      throws IOException {
    int longest = Math.max(enough.longest(), outbound.whole() ? LONGEST_WHOLE : 0);
    byte[] bytes = entity == null ? new byte[0] : read(request, entity, head, longest, enough);
    boolean tooLong = bytes.length > enough.longest();
    int length = Math.min(bytes.length, enough.longest());
    String body = AnswerText.of(bytes, length, head.header("Content-Type"));
    boolean cut = bytes.length > LONGEST_WHOLE;
    WholeBody whole =
        outbound.whole()
            ? new WholeBody(cut ? Arrays.copyOf(bytes, LONGEST_WHOLE) : bytes, cut)
            : null;
    return new Exchange.Answered(head.status(), head.headers(), body, tooLong, whole);
  }

  /** The response received so far, without its body. */
  private static Exchange.Answered head(ClassicHttpResponse response) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : response.getHeaders()) {
      String value = header.getValue();
      headers.putIfAbsent(header.getName().toLowerCase(Locale.ROOT), value == null ? "" : value);
    }
    return new Exchange.Answered(response.getCode(), headers, "", false, null);
  }

  private static byte[] read(
      HttpUriRequestBase request,
      HttpEntity entity,
      Exchange.Answered head,
      int longest,
      Enough enough)
      throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] next = new byte[8192];
    try (InputStream content =
        ContentCodings.decoded(entity.getContent(), head.header("Content-Encoding"), longest)) {
      for (int count = content.read(next); count >= 0; count = content.read(next)) {
        read.write(next, 0, Math.min(count, longest + 1 - read.size()));
        if (read.size() > longest || enough.after(next, count)) {
          // Closing the response without an abort would read it to its end.
          request.abort();
          break;
        }
      }
    }
    return read.toByteArray();
  }

  @Override
  public void close() {
    https.close(CloseMode.IMMEDIATE);
    http.close(CloseMode.IMMEDIATE);
  }
}
