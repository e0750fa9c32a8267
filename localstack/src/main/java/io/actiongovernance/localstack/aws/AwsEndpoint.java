package io.actiongovernance.localstack.aws;

import io.actiongovernance.access.KeyService;
import io.actiongovernance.localstack.lambda.Functions;
import io.actiongovernance.localstack.states.StepFunctions;
import java.io.IOException;
import java.net.URI;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * The one address through which the AWS CLI and SDKs reach the stack. It serves DynamoDB and its
 * streams, SQS, EventBridge, Step Functions, KMS and functions. It distinguishes them by target
 * header and path. It listens only on the loopback interface.
 */
public final class AwsEndpoint implements AutoCloseable {
  /** Prefix of the paths of the Lambda API. */
  public static final String FUNCTIONS = "/2015-03-31/functions/";

  private final Server server;
  private final ServerConnector connector;

  /**
   * Takes a port, so that the endpoint's address is known. No requests are answered before {@link
   * #start}.
   *
   * @param port 0 for a free one
   */
  public AwsEndpoint(int port) throws IOException {
    this.server = new Server(RequestThreads.named("aws-endpoint", 8, 2));
    this.connector = new ServerConnector(server, 1, 1, HttpRules.anyPath());
    connector.setHost(Aws.LOOPBACK);
    connector.setPort(port);
    server.addConnector(connector);
    connector.open();
  }

  public int port() {
    return connector.getLocalPort();
  }

  public URI address() {
    return URI.create("http://" + Aws.LOOPBACK + ":" + port());
  }

  /**
   * Begins to serve.
   *
   * @param around wraps these services in the handler that receives requests first
   */
  public void start(
      EmbeddedDynamo dynamo,
      EmbeddedSqs sqs,
      EventBus bus,
      Functions functions,
      StepFunctions stateMachines,
      KeyService keys,
      UnaryOperator<Handler> around)
      throws Exception {
    Handler database = dynamo.front();
    Handler queues = new ForwardingFront(sqs.address());
    Handler events = new EventBridgeFront(bus);
    Handler lambda = new LambdaFront(functions);
    Handler executions = new StepFunctionsFront(stateMachines);
    Handler dataKeys = new KmsFront(keys);
    Handler own =
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback)
              throws Exception {
            String target = request.getHeaders().get("X-Amz-Target");
            return service(request, target == null ? "" : target)
                .handle(request, response, callback);
          }

          private Handler service(Request request, String target) {
            if (request.getHttpURI().getPath().startsWith(FUNCTIONS)) {
              return lambda;
            } else if (target.startsWith("DynamoDB")) {
              return database;
            } else if (target.startsWith("AWSEvents.")) {
              return events;
            } else if (target.startsWith(StepFunctionsFront.SERVICE)) {
              return executions;
            } else if (target.startsWith(KmsFront.SERVICE)) {
              return dataKeys;
            } else {
              return queues; // by a target, or in the form-encoded protocol, which has no target
            }
          }
        };
    server.setHandler(around.apply(own));
    server.start();
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
    connector.close();
  }
}
