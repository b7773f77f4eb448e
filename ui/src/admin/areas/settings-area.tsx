export function SettingsArea() {
  return null
}
