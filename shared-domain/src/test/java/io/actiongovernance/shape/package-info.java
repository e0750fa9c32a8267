/** What of a module's shape can be counted, and the rules that every module keeps to. */
@NullMarked
package io.actiongovernance.shape;

import org.jspecify.annotations.NullMarked;
