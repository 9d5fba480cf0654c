import { Page } from '../../parts/page.tsx'
export function InvitationScreen() {
  return <Page title="invitation">…</Page>
}
