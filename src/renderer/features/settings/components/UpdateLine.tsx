import { Button } from '#/renderer/components/Button'
import { desktop, useUpdates } from '#/renderer/features/desktop'
import { logIfFails } from '#/renderer/lib/logger'
import { texts } from '#/renderer/lib/texts'
import type { UpdateState } from '#/shared/bridge'

const words = texts.settings.updates

function wordsOf(updates: UpdateState): string {
  switch (updates.state) {
    case 'available':
      return words.available(updates.version)
    case 'downloading':
      return words.downloading(updates.percent)
    case 'ready':
      return words.ready(updates.version)
    default:
      return words[updates.state]
  }
}

function actionOf({ state }: UpdateState): { name: string; act: () => Promise<unknown> } | null {
  switch (state) {
    case 'idle':
    case 'failed':
      return { name: words.check, act: desktop.updates.check }
    case 'available':
      return { name: words.download, act: desktop.updates.download }
    case 'ready':
      return { name: words.install, act: desktop.updates.install }
    default:
      return null
  }
}

/** The state of the auto-update, with the next step. */
export function UpdateLine() {
  const updates = useUpdates()
  const action = actionOf(updates)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
      <p role="status" className="text-[13.5px] text-quiet">
        {wordsOf(updates)}
      </p>
      {action !== null && <Button onClick={() => logIfFails('update', action.act())}>{action.name}</Button>}
    </div>
  )
}
