/**
 * Descriptions on the records of requests and answers. One traversal of them reads requests and
 * makes the published document and its samples.
 */
@NullMarked
package io.actiongovernance.functions.contract;

import org.jspecify.annotations.NullMarked;
