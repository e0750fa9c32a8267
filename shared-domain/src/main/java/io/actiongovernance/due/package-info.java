/** What is to be looked at by itself once its time has come, and who has the first look. */
@NullMarked
package io.actiongovernance.due;

import org.jspecify.annotations.NullMarked;
