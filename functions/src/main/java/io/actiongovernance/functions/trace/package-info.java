/** Posts spans to a collector: OTLP over HTTP, in JSON. */
@NullMarked
package io.actiongovernance.functions.trace;

import org.jspecify.annotations.NullMarked;
