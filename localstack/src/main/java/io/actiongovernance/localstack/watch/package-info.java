/** The terminal tool that follows what happens. */
@NullMarked
package io.actiongovernance.localstack.watch;

import org.jspecify.annotations.NullMarked;
