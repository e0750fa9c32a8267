package io.actiongovernance.functions.route;

/** A handler that still reads its input itself; it goes when the last one declares its input. */
public interface FieldsHandler extends RouteHandler<NoInput> {
  Reply handle(Call call);

  @Override
  default Reply handle(Call call, NoInput none) {
    return handle(call);
  }
}
