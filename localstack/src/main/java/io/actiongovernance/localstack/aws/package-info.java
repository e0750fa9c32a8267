/**
 * The AWS services that the stack embeds, and the one endpoint through which clients reach them.
 */
@NullMarked
package io.actiongovernance.localstack.aws;

import org.jspecify.annotations.NullMarked;
