import { useEffect, useState } from 'react'
import { Button } from '#/renderer/components/Button'
import { useAbilities, usePreferences } from '#/renderer/features/desktop'
import { texts } from '#/renderer/lib/texts'
import { timeOfDay } from '#/renderer/lib/time'
import { NOTIFICATION_TOPICS } from '#/shared/preferences'
import { SettingSwitch, SettingsSection } from './SettingsSection'

const words = texts.settings.notifications

/** Settings of system notifications on this computer; hidden where they are not supported. */
export function NotificationsSection() {
  const [preferences, applyPreferencesPatch] = usePreferences()
  const { pausedUntil, pauseForAnHour, resume } = usePause()
  const abilities = useAbilities()
  if (abilities?.notifications !== true) return null
  return (
    <SettingsSection title={words.title}>
      <div className="grid gap-3.5">
        {NOTIFICATION_TOPICS.map((topic) => (
          <SettingSwitch
            key={topic}
            label={words.topics[topic]}
            isOn={preferences.notifications[topic]}
            onChange={(isOn) => applyPreferencesPatch({ notifications: { [topic]: isOn } })}
          />
        ))}
        {abilities.attention && (
          <SettingSwitch
            label={words.attention}
            body={words.attentionBody}
            isOn={preferences.drawAttention}
            onChange={(drawAttention) => applyPreferencesPatch({ drawAttention })}
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-line border-t pt-4">
          <p role="status" className="text-[13.5px] text-quiet">
            {pausedUntil === null ? words.pauseBody : words.pausedUntil(timeOfDay(pausedUntil))}
          </p>
          {pausedUntil === null ? (
            <Button onClick={pauseForAnHour}>{words.pause}</Button>
          ) : (
            <Button onClick={resume}>{words.resume}</Button>
          )}
        </div>
      </div>
    </SettingsSection>
  )
}

const HOUR_MS = 60 * 60 * 1_000

/** The pause of system notifications: its end in milliseconds since 1970, or null. */
export function usePause() {
  const [{ notificationsPausedUntil: until }, applyPreferencesPatch] = usePreferences()
  const [now, setNow] = useState(Date.now)
  const left = until === null ? 0 : until - now

  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), left)
    return () => clearTimeout(timer)
  }, [left])

  return {
    pausedUntil: left > 0 ? until : null,
    pauseForAnHour: () => {
      const start = Date.now()
      setNow(start)
      applyPreferencesPatch({ notificationsPausedUntil: start + HOUR_MS })
    },
    resume: () => applyPreferencesPatch({ notificationsPausedUntil: null }),
  }
}
