import type { MutationStatus } from '@tanstack/react-query'
import { RadioGroup } from 'radix-ui'
import { type FormEvent, useId, useState } from 'react'
import { Alert } from '#/renderer/components/Alert'
import { Button } from '#/renderer/components/Button'
import { CharactersLeft } from '#/renderer/components/CharactersLeft'
import { Dialog } from '#/renderer/components/Dialog'
import { INPUT_CLASS } from '#/renderer/components/Field'
import { keepTypingRuns } from '#/renderer/lib/browser/text-field'
import { codePoints } from '#/renderer/lib/content/rich-text'
import { texts } from '#/renderer/lib/texts'
import { TEXT_LIMITS } from '#/shared/limits'
import { openSafetyDialog } from '../dialog-store'
import { REASONS, type Reason, type SafetyMember } from '../model'
import { useMute, useReportMutation } from '../mutations'

interface ReportDialogProps {
  member: SafetyMember
  postId: string | null
  onClose: () => void
}

/** Asks for the reason; after sending it offers to block or mute, unless something was typed meanwhile. */
export function ReportDialog({ member, postId, onClose }: ReportDialogProps) {
  const { mutate, variables, status } = useReportMutation({ memberId: member.id, postId })
  const [report, setReport] = useState<Report>({ reason: null, details: '' })
  if (status === 'success' && variables.reason === report.reason && variables.details === report.details)
    return <Thanks member={member} onClose={onClose} />
  const title = postId === null ? texts.safety.reportTitle(member.username) : texts.safety.reportPostTitle
  return (
    <Dialog title={title} description={texts.safety.reportBody} onClose={onClose}>
      <ReportForm
        report={report}
        onChange={setReport}
        status={status}
        onSend={(reason) => mutate({ ...report, reason })}
      />
    </Dialog>
  )
}

interface Report {
  /** Null before the member has chosen a reason. */
  reason: Reason | null
  details: string
}

interface ReportFormProps {
  report: Report
  onChange: (report: Report) => void
  /** Success: it was sent, and something was changed meanwhile. */
  status: MutationStatus
  onSend: (reason: Reason) => void
}

function ReportForm({ report, onChange, status, onSend }: ReportFormProps) {
  const id = useId()
  const { reason, details } = report
  const isSending = status === 'pending'
  const canSend = reason !== null && codePoints(details.trim()) <= TEXT_LIMITS.reportDetails && !isSending
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (canSend) onSend(reason)
  }
  return (
    <form onSubmit={handleSubmit}>
      <RadioGroup.Root
        aria-label={texts.safety.reasonLabel}
        value={reason ?? ''}
        onValueChange={(value) =>
          onChange({ ...report, reason: REASONS.find((each) => each === value) ?? null })
        }
        className="-mx-2.5 grid"
      >
        {REASONS.map((each) => (
          <label
            key={each}
            htmlFor={`${id}-${each}`}
            className="flex items-center gap-3 rounded-sm px-2.5 py-1.5 hover:bg-sunk"
          >
            <RadioGroup.Item
              id={`${id}-${each}`}
              value={each}
              className="grid size-5 shrink-0 place-items-center rounded-full border border-edge bg-raised data-[state=checked]:border-accent"
            >
              <RadioGroup.Indicator className="size-2.5 rounded-full bg-accent" />
            </RadioGroup.Item>
            {texts.safety.reasons[each]}
          </label>
        ))}
      </RadioGroup.Root>
      <label htmlFor={`${id}-details`} className="mt-4 mb-1.5 block font-medium text-[13px] text-quiet">
        {texts.safety.detailsLabel}
      </label>
      <textarea
        ref={keepTypingRuns}
        id={`${id}-details`}
        rows={3}
        value={details}
        onChange={(event) => onChange({ ...report, details: event.target.value })}
        data-limit={TEXT_LIMITS.reportDetails}
        dir="auto"
        className={`${INPUT_CLASS} h-auto! resize-none py-2.5`}
      />
      <CharactersLeft text={details} limit={TEXT_LIMITS.reportDetails} />
      <p role="status" className="mt-3 text-[13.5px] text-quiet empty:mt-0">
        {status === 'success' && texts.safety.reportSent}
      </p>
      {status === 'error' && (
        <div className="mt-3">
          <Alert>{texts.safety.reportFailed}</Alert>
        </div>
      )}
      <div className="mt-4 flex justify-end">
        <Button variant="primary" type="submit" disabled={!canSend}>
          {isSending ? texts.safety.reporting : texts.safety.sendReport}
        </Button>
      </div>
    </form>
  )
}

function Thanks({ member, onClose }: Omit<ReportDialogProps, 'postId'>) {
  const { isMuted, toggle } = useMute(member)
  const handleMute = () => {
    toggle()
    onClose()
  }
  return (
    <Dialog
      title={texts.safety.thanksTitle}
      description={texts.safety.thanksBody(member.username)}
      onClose={onClose}
    >
      <div className="flex flex-wrap justify-end gap-2.5">
        {!isMuted && <Button onClick={handleMute}>{texts.safety.mute}</Button>}
        <Button onClick={() => openSafetyDialog({ kind: 'block', member })}>{texts.safety.block}</Button>
        <Button variant="primary" onClick={onClose}>
          {texts.safety.done}
        </Button>
      </div>
    </Dialog>
  )
}
