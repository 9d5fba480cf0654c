import { Page } from '../../parts/page.tsx'
export function NotificationsScreen() {
  return <Page title="notifications">…</Page>
}
