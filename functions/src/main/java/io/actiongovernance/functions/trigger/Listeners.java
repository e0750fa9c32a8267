package io.actiongovernance.functions.trigger;

import io.actiongovernance.channel.Channels;
import io.actiongovernance.store.Store;
import io.actiongovernance.webhook.Endpoints;

record Listeners(Endpoints endpoints, Channels channels) {
  static Listeners of(Store store) {
    return new Listeners(new Endpoints(store), new Channels(store));
  }
}
