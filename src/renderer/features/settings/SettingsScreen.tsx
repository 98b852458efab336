import { BackBar } from '#/renderer/components/BackBar'
import { texts } from '#/renderer/lib/texts'
import { AccountSection } from './components/AccountSection'
import { AppearanceSection } from './components/AppearanceSection'
import { ComputerSection } from './components/ComputerSection'
import { NotificationsSection } from './components/NotificationsSection'
import { ProfileSwitch } from './components/ProfileSwitch'
import { SafetySection } from './components/SafetySection'
import { SettingsSection } from './components/SettingsSection'

const { settings } = texts

/** /settings: what others may see and do, how the app looks here, and the account itself. */
export function SettingsScreen() {
  return (
    <main id="content" className="mx-auto max-w-150 px-4 pt-7 pb-16">
      <BackBar title={settings.title} />
      <div className="grid gap-4">
        <SettingsSection title={settings.privacy}>
          <ProfileSwitch
            setting="is_private"
            label={settings.privateAccount}
            body={settings.privateAccountBody}
          />
        </SettingsSection>
        <SettingsSection title={settings.activity}>
          <ProfileSwitch
            setting="show_activity_status"
            label={settings.activityStatus}
            body={settings.activityStatusBody}
          />
        </SettingsSection>
        <SettingsSection title={settings.stories}>
          <ProfileSwitch
            setting="allow_story_replies"
            label={settings.storyReplies}
            body={settings.storyRepliesBody}
          />
        </SettingsSection>
        <AppearanceSection />
        <NotificationsSection />
        <ComputerSection />
        <SafetySection />
        <AccountSection />
      </div>
    </main>
  )
}
