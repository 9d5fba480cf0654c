import { Page } from '../../parts/page.tsx'
export function MembersScreen() {
  return <Page title="members">…</Page>
}
