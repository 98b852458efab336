/** Runs the task after a delay; returns a function that cancels it. */
export type Schedule = (milliseconds: number, task: () => void) => () => void

export const schedule: Schedule = (milliseconds, task) => {
  const timer = setTimeout(task, milliseconds)
  return () => clearTimeout(timer)
}

/** Resolves after a delay. Does not keep the process alive. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
