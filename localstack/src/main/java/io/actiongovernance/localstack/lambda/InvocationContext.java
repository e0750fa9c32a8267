package io.actiongovernance.localstack.lambda;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Context that a handler receives with its invocation. */
record InvocationContext(String function, String requestId, long deadlineNanos) implements Context {
  private static final int MEMORY_MB = 1024;

  @Override
  public String getAwsRequestId() {
    return requestId;
  }

  @Override
  public String getLogGroupName() {
    return "/aws/lambda/" + function;
  }

  @Override
  public String getLogStreamName() {
    return "local";
  }

  @Override
  public String getFunctionName() {
    return function;
  }

  @Override
  public String getFunctionVersion() {
    return "$LATEST";
  }

  @Override
  public String getInvokedFunctionArn() {
    return "arn:aws:lambda:us-east-1:000000000000:function:" + function;
  }

  @Override
  public @Nullable CognitoIdentity getIdentity() {
    return null;
  }

  @Override
  public @Nullable ClientContext getClientContext() {
    return null;
  }

  @Override
  public int getRemainingTimeInMillis() {
    return (int) Math.max(0, (deadlineNanos - System.nanoTime()) / 1_000_000);
  }

  @Override
  public int getMemoryLimitInMB() {
    return MEMORY_MB;
  }

  @Override
  public LambdaLogger getLogger() {
    Logger logger = LoggerFactory.getLogger("function." + function);
    return new LambdaLogger() {
      @Override
      public void log(String message) {
        logger.info(message);
      }

      @Override
      public void log(byte[] message) {
        logger.info(new String(message, StandardCharsets.UTF_8));
      }
    };
  }
}
