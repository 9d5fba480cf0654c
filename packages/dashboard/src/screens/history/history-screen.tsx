import { Page } from '../../parts/page.tsx'
export function HistoryScreen() {
  return <Page title="history">…</Page>
}
