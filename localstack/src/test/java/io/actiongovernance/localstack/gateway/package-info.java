@NullMarked
package io.actiongovernance.localstack.gateway;

import org.jspecify.annotations.NullMarked;
