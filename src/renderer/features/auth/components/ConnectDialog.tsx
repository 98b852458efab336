import { type FormEvent, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { Dialog } from '#/renderer/components/Dialog'
import { Field } from '#/renderer/components/Field'
import { desktop } from '#/renderer/features/desktop'
import { logFailure, logIfFails } from '#/renderer/lib/core/logger'
import { texts } from '#/renderer/lib/texts'
import { parseServerUrl, type ServerAddress, type ServerInfo, type ServerProblem } from '#/shared/server'

interface ConnectDialogProps {
  server: ServerInfo
  /** From a link, which fills in the fields and does nothing else. */
  linked: ServerAddress | null
  onClose: () => void
}

const { check, connect, useEmbedded: returnToEmbedded } = desktop.server

/** 'Connect to a server…': tests the address and key before it saves them. */
export function ConnectDialog({ server, linked, onClose }: ConnectDialogProps) {
  const isChosen = server.kind === 'chosen'
  const [url, setUrl] = useState(linked?.url ?? (isChosen ? server.url : ''))
  const [publishableKey, setKey] = useState(linked?.publishableKey ?? (isChosen ? server.publishableKey : ''))
  const [problem, setProblem] = useState<ServerProblem | null>(null)
  const [isChecking, setIsChecking] = useState(false)

  /** Pressing 'Connect anyway' passes it. */
  const isWarned = problem === 'storage'

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseServerUrl(url)
    if (!parsed.ok) return setProblem(parsed.problem)
    const address = { url: parsed.url, publishableKey: publishableKey.trim() }
    setProblem(null)
    setIsChecking(true)
    try {
      const checked = isWarned ? null : await check(address)
      const isUsable = checked === null || (checked.ok && checked.warning === undefined)
      const result = isUsable ? await connect(address) : checked
      if (result.ok && isUsable) return
      setProblem(result.ok ? 'storage' : result.problem)
    } catch (cause) {
      logFailure('connect to server', cause)
      setProblem('unreachable')
    }
    setIsChecking(false)
  }

  const aboutUrl = problem !== null && problem !== 'key' ? texts.server.problem(problem) : null
  return (
    <Dialog
      title={texts.server.title}
      description={linked === null ? texts.server.body : texts.server.linked}
      onClose={onClose}
    >
      <form onSubmit={handleSubmit} className="grid gap-4" noValidate>
        <Field
          label={texts.server.url}
          placeholder={texts.server.urlPlaceholder}
          value={url}
          onChange={(event) => {
            setUrl(event.target.value)
            setProblem(null)
          }}
          error={problem === 'url' || problem === 'insecure' ? aboutUrl : null}
          inputMode="url"
          spellCheck={false}
          autoCapitalize="none"
          autoFocus
        />
        <Field
          label={texts.server.key}
          placeholder="sb_publishable_…"
          value={publishableKey}
          onChange={(event) => {
            setKey(event.target.value)
            setProblem(null)
          }}
          error={problem === 'key' ? texts.server.problem('key') : null}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
        />
        {aboutUrl !== null && problem !== 'url' && problem !== 'insecure' && <Alert>{aboutUrl}</Alert>}
        <div className="mt-1 flex flex-wrap items-center justify-end gap-2.5">
          {isChosen && (
            <Button
              variant="quiet"
              className="me-auto px-2"
              onClick={() => logIfFails('use embedded server', returnToEmbedded())}
            >
              {texts.server.useEmbedded}
            </Button>
          )}
          <Button
            variant="primary"
            type="submit"
            disabled={isChecking || url.trim() === '' || publishableKey.trim() === ''}
          >
            {isChecking ? texts.server.checking : isWarned ? texts.server.submitAnyway : texts.server.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
