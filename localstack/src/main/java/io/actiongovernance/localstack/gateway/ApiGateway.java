package io.actiongovernance.localstack.gateway;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.id.Ids;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.HttpRules;
import io.actiongovernance.localstack.aws.RequestThreads;
import io.actiongovernance.localstack.lambda.Lambda;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stack's HTTP front, which replaces API Gateway. It passes each request to the function as a
 * proxy event, and sends the function's answer as the response. It listens only on the loopback
 * interface, at both of its addresses, because browsers reach {@code localhost} at either.
 */
public final class ApiGateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApiGateway.class);

  /** Maximum size of a body in bytes, as on API Gateway. */
  private static final int LARGEST_BODY = 10 * 1024 * 1024;

  /**
   * Longest time for requests in flight to finish when the gateway stops. It is more than the
   * longest wait of a request.
   */
  private static final Duration LONGEST_STOP = Settings.LONGEST_WAIT.plusSeconds(5);

  /**
   * Send buffer of a connection in bytes. The system's default would hold millions, and it would
   * take long to notice that a stream's reader does not read.
   */
  private static final int SEND_BUFFER = 128 * 1024;

  /** Maximum attempts to find a port that is free at both addresses. */
  private static final int MOST_TRIES = 20;

  private final Server server;
  private final List<ServerConnector> connectors;
  private final OpenStreams streams = new OpenStreams();
  private final List<Handler> beside = new ArrayList<>();

  /**
   * Takes the port, but answers no requests before {@link #start}.
   *
   * @param port 0 for a free one
   * @throws BindException if the port is in use
   */
  public ApiGateway(int port) throws IOException {
    this.server = new Server(RequestThreads.named("gateway", 16, 4));
    this.connectors = opened(port);
    connectors.forEach(server::addConnector);
  }

  /** Opens one connector for each address of the loopback interface, at one port. */
  private List<ServerConnector> opened(int port) throws IOException {
    for (int attempt = 1; ; attempt++) {
      ServerConnector first = opened(Aws.LOOPBACK, port);
      try {
        return hasVersion6()
            ? List.of(first, opened(Aws.LOOPBACK_6, first.getLocalPort()))
            : List.of(first);
      } catch (BindException e) {
        first.close();
        if (port != 0 || attempt == MOST_TRIES) {
          throw e;
        }
      } catch (IOException e) {
        first.close();
        throw e;
      }
    }
  }

  private static boolean hasVersion6() throws IOException {
    return NetworkInterface.getByInetAddress(InetAddress.getByName(Aws.LOOPBACK_6)) != null;
  }

  private ServerConnector opened(String address, int port) throws IOException {
    ServerConnector connector = new ServerConnector(server, 1, 2, HttpRules.anyPath());
    connector.setHost(address);
    connector.setPort(port);
    connector.setReuseAddress(true);
    connector.setAcceptQueueSize(1024);
    connector.setAcceptedSendBufferSize(SEND_BUFFER);
    connector.setIdleTimeout(Duration.ofMinutes(1).toMillis());
    try {
      connector.open();
    } catch (IOException e) {
      throw e.getCause() instanceof BindException inUse ? inUse : e;
    }
    return connector;
  }

  public int port() {
    return connectors.getFirst().getLocalPort();
  }

  /**
   * A function that answers GET requests for some resources with a stream.
   *
   * @param resources the templates of these resources
   * @param function takes a proxy event, and writes like a function whose response is streamed
   */
  public record Streaming(Set<String> resources, Function<byte[], StreamBody> function) {
    public Streaming {
      resources = Set.copyOf(resources);
    }
  }

  /** Lets this handler answer the requests that it handles, in place of the function. */
  public void answerBeside(Handler handler) {
    beside.add(handler);
  }

  /**
   * Begins to serve. All requests go to the function, except those that are streamed, whether or
   * not a resource matches.
   */
  public void start(
      Resources resources,
      Lambda function,
      Streaming streaming,
      Settings settings,
      Ids ids,
      InstantSource clock)
      throws Exception {
    Refusals refusals = new Refusals(settings, ids, clock);
    server.setErrorHandler(refusals);
    List<Handler> handlers = new ArrayList<>(beside);
    handlers.add(new Front(resources, function, streaming, streams, refusals));
    server.setHandler(new GracefulHandler(new Handler.Sequence(handlers)));
    server.setStopTimeout(LONGEST_STOP.toMillis());
    server.start();
  }

  /** Ends streams, accepts no new requests, and waits for those in flight. */
  @Override
  public void close() {
    streams.close();
    LifeCycle.stop(server);
    connectors.forEach(ServerConnector::close);
  }

  private static final class Front extends Handler.Abstract {
    private final Resources resources;
    private final Lambda function;
    private final Streaming streaming;
    private final OpenStreams streams;
    private final Refusals refusals;

    Front(
        Resources resources,
        Lambda function,
        Streaming streaming,
        OpenStreams streams,
        Refusals refusals) {
      this.resources = resources;
      this.function = function;
      this.streaming = streaming;
      this.streams = streams;
      this.refusals = refusals;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException, InterruptedException {
      byte[] body = Content.Source.asInputStream(request).readNBytes(LARGEST_BODY + 1);
      if (body.length > LARGEST_BODY) {
        response.getHeaders().put("Connection", "close");
        return refusals.refuse(
            response, callback, ErrorCode.INVALID_REQUEST, "The request is too large.");
      }
      Resources.Match match = resources.match(request.getHttpURI().getPath()).orElse(null);
      byte[] event;
      try {
        event = ProxyEvent.of(request, ProxyEvent.Stage.LOCAL, match, body);
      } catch (IllegalArgumentException e) {
        return refusals.refuse(
            response,
            callback,
            ErrorCode.INVALID_REQUEST,
            "The query is not valid percent-encoding.");
      }
      boolean streams =
          match != null
              && streaming.resources().contains(match.resource())
              && request.getMethod().equals("GET");
      return streams
          ? stream(event, request, response, callback)
          : invoke(event, response, callback);
    }

    private boolean stream(byte[] event, Request request, Response response, Callback callback) {
      EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
      try (StreamBody answer = streaming.function().apply(event)) {
        StreamedResponse out = new StreamedResponse(response);
        try (OpenStreams.Open _ = streams.enter(connection, answer)) {
          answer.writeTo(out);
        }
        out.close();
        callback.succeeded();
      } catch (IOException e) {
        LOG.debug("A stream was cut", e);
        callback.failed(e);
      }
      return true;
    }

    private boolean invoke(byte[] event, Response response, Callback callback)
        throws InterruptedException {
      try {
        return ProxyAnswer.write(function.invoke(event), response, callback);
      } catch (Lambda.InvocationFailed e) {
        LOG.warn("The function {} failed", function.name(), e);
        return e.timedOut()
            ? refusals.refuse(
                response,
                callback,
                ErrorCode.SERVICE_UNAVAILABLE,
                "The request took too long; it may still take effect.")
            : refusals.refuse(response, callback, ErrorCode.INTERNAL_ERROR, "The service failed.");
      }
    }
  }
}
