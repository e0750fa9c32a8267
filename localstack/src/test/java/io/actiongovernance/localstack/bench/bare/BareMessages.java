package io.actiongovernance.localstack.bench.bare;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import java.util.ArrayList;
import java.util.List;

/** Takes messages whose item is not there, and leaves the others. */
public final class BareMessages implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private final BareClients clients = BareClients.create();

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
    List<SQSBatchResponse.BatchItemFailure> again = new ArrayList<>();
    for (SQSEvent.SQSMessage message : event.getRecords()) {
      if (clients.call(message.getMessageId())) {
        again.add(new SQSBatchResponse.BatchItemFailure(message.getMessageId()));
      }
    }
    return new SQSBatchResponse(again);
  }
}
