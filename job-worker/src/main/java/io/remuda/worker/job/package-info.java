/** What a job is and what it asks for, independent of where it runs. */
package io.remuda.worker.job;
