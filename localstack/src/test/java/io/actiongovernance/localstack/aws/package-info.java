/** Tests of the embedded services. */
@NullMarked
package io.actiongovernance.localstack.aws;

import org.jspecify.annotations.NullMarked;
