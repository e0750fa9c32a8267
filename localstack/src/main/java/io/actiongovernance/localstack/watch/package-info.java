/** The terminal tool that follows events and their consequences. */
@NullMarked
package io.actiongovernance.localstack.watch;

import org.jspecify.annotations.NullMarked;
