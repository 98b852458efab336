import { type ProfileSetting, useProfileSetting } from '../useProfileSetting'
import { SettingSwitch } from './SettingSwitch'

interface ProfileSwitchProps {
  setting: ProfileSetting
  label: string
  /** What it means when it is on. */
  body: string
}

/** A setting of the profile that is on or off. */
export function ProfileSwitch({ setting, label, body }: ProfileSwitchProps) {
  const [isOn, change] = useProfileSetting(setting)
  return <SettingSwitch label={label} body={body} isOn={isOn} onChange={change} />
}
