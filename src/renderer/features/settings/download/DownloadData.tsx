import { Progress } from 'radix-ui'
import { useId } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { useMe } from '#/renderer/features/auth'
import { saveFile } from '#/renderer/lib/browser/object-url'
import { texts } from '#/renderer/lib/texts'
import { cancelDownload, startDownload, useDownload } from './download-store'
import type { DownloadProgress } from './write-download'

/** The id of the button that starts or cancels the download. */
export const DOWNLOAD_BUTTON = 'download-data'

/** Downloads the member's data as a file (SAFE-05). The progress survives navigation. */
export function DownloadData() {
  const me = useMe()
  const state = useDownload(me.id)
  const id = useId()
  const handleStart = () => void startDownload(me)
  return (
    <div className="mt-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <div className="min-w-0 flex-1 basis-60">
          <h3 id={id} className="font-medium">
            {texts.download.title}
          </h3>
          <p className="text-[13.5px] text-quiet">{texts.download.body}</p>
        </div>
        {state.status === 'running' ? (
          <Button id={DOWNLOAD_BUTTON} onClick={cancelDownload}>
            {texts.cancel}
          </Button>
        ) : (
          <Button id={DOWNLOAD_BUTTON} onClick={handleStart}>
            {state.status === 'failed' ? texts.tryAgain : texts.download.start}
          </Button>
        )}
      </div>
      {state.status === 'running' && <DownloadBar labelId={id} progress={state.progress} />}
      {state.status === 'failed' && (
        <div className="mt-3">
          <Alert>{texts.download.failed[state.reason]}</Alert>
        </div>
      )}
      {state.status === 'done' && state.others.length > 0 && (
        <div className="mt-3 grid justify-items-start gap-2">
          <p className="text-[13.5px] text-quiet">{texts.download.others}</p>
          {state.others.map(({ file, name }) => (
            <Button key={name} onClick={() => saveFile(file, name)}>
              {texts.download.save(name)}
            </Button>
          ))}
        </div>
      )}
      <p role="status" className="text-[13.5px] text-quiet [overflow-wrap:anywhere]">
        {state.status === 'done' && <span className="mt-3 block">{texts.download.done(state.name)}</span>}
      </p>
    </div>
  )
}

interface DownloadBarProps {
  labelId: string
  progress: DownloadProgress
}

function DownloadBar({ labelId, progress: { step, done, total } }: DownloadBarProps) {
  const count = total === null && done === 0 ? '' : texts.download.progress(done, total)
  const words = `${texts.download.step[step]} ${count}`
  return (
    <div className="mt-3">
      <p className="text-[13.5px] text-quiet tabular-nums">{words}</p>
      <Progress.Root
        aria-labelledby={labelId}
        value={total === null ? null : done}
        max={Math.max(1, total ?? 1)}
        getValueLabel={() => words}
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line"
      >
        <Progress.Indicator
          style={total === null ? undefined : { width: `${(done / Math.max(1, total)) * 100}%` }}
          className="h-full rounded-full bg-accent transition-[width] duration-200 data-[state=indeterminate]:w-1/3 data-[state=indeterminate]:animate-breathe"
        />
      </Progress.Root>
    </div>
  )
}
