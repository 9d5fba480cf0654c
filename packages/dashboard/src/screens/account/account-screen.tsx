import { Page } from '../../parts/page.tsx'
export function AccountScreen() {
  return <Page title="account">…</Page>
}
