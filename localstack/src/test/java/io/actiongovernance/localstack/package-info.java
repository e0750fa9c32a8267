/** Tests of the local stack; the acceptance suite speaks to it over HTTP only. */
@NullMarked
package io.actiongovernance.localstack;

import org.jspecify.annotations.NullMarked;
