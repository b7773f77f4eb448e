export function BackupArea() {
  return null
}
