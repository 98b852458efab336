import { Dialog } from '#/renderer/components/Dialog'
import { texts } from '#/renderer/lib/texts'

/** Every shortcut there is. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.shortcuts.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5 text-[14px]">
        {texts.shortcuts.list.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line bg-sunk px-2 py-0.5 font-medium font-sans text-[12.5px]">
                {keys}
              </kbd>
            </dt>
            <dd className="text-quiet">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
