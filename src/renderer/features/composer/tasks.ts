/** A task of a photo or video, which the next one of the same kind replaces. */
interface Task {
  controller: AbortController
  done: Promise<void>
}

/** Runs one task for each photo or video, by its id. */
export function createTasks() {
  const running = new Map<string, Task>()
  const abort = (id: string) => {
    running.get(id)?.controller.abort()
    running.delete(id)
  }
  return {
    abort,
    doneOf: (id: string) => running.get(id)?.done,
    /** Aborts the task of that id, and starts another one. `isCurrent` returns false once it is aborted. */
    start: (id: string, work: (signal: AbortSignal, isCurrent: () => boolean) => Promise<void>) => {
      abort(id)
      const controller = new AbortController()
      const isCurrent = () => !controller.signal.aborted
      const done = work(controller.signal, isCurrent).finally(() => {
        if (isCurrent()) running.delete(id)
      })
      running.set(id, { controller, done })
      return done
    },
    abortAll: () => {
      for (const id of [...running.keys()]) abort(id)
    },
  }
}
