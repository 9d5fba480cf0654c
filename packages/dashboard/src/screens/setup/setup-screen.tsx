import { Door } from '../../shell/door.tsx'
export function SetupScreen() {
  return <Door title="Set up">…</Door>
}
