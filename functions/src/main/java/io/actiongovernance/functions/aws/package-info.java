/** The implementations of the domain's ports on AWS. */
@NullMarked
package io.actiongovernance.functions.aws;

import org.jspecify.annotations.NullMarked;
