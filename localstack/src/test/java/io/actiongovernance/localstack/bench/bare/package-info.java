/** The least that our functions could be, to hold them against. */
@NullMarked
package io.actiongovernance.localstack.bench.bare;

import org.jspecify.annotations.NullMarked;
