@NullMarked
package io.actiongovernance.localstack.watch;

import org.jspecify.annotations.NullMarked;
