import { Button } from '#/renderer/components/Button'
import { desktop } from '#/renderer/features/desktop'
import { logIfFails } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'

/** Says what the next start changes, with a button that restarts the app. */
export function RestartLine({ children }: { children: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2">
      <p className="text-[13.5px] text-quiet">{children}</p>
      <Button onClick={() => logIfFails('restart', desktop.system.restart())}>{texts.session.restart}</Button>
    </div>
  )
}
