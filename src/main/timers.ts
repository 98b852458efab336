/** Does the task after so many milliseconds; gives what cancels it. */
export type Schedule = (milliseconds: number, task: () => void) => () => void

export const schedule: Schedule = (milliseconds, task) => {
  const timer = setTimeout(task, milliseconds)
  return () => clearTimeout(timer)
}

/** Resolves after so many milliseconds; keeps no process alive. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
