/** The ports of the domain on AWS. */
@NullMarked
package io.actiongovernance.functions.aws;

import org.jspecify.annotations.NullMarked;
