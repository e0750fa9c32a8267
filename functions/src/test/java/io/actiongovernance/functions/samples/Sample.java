package io.actiongovernance.functions.samples;

/**
 * A sample request and its answer.
 *
 * @param answer the body of the answer
 */
record Sample(SampleRequest request, String answer) {}
