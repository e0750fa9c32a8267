/** The figures of {@code localstack/bench}: measured on request, asserted nowhere. */
@NullMarked
package io.actiongovernance.localstack.bench;

import org.jspecify.annotations.NullMarked;
