import { isolate } from './isolate.ts'
import type { PetstoreLabels } from './en.ts'
import { type WaitSentence, withReason } from './waitText.ts'

const withTime = (wait: string, time: string | undefined) => (time === undefined ? wait : `${wait}, ${time},`)

const waitReasons: PetstoreLabels['categoryForm']['waitReasons'] = {
  'rate-limit': 'Wartet auf das Anfragelimit.',
  connection: 'Der Dienst ist nicht erreichbar.',
  service: 'Der Dienst hat ein Problem.',
  'other-tabs': 'Wartet auf andere Tabs.',
}

const retryingIn = (wait: string, time?: string) => `Neuer Versuch in ${time === undefined ? wait : `${wait}, ${time}`}`

const happensIn =
  (done: string): WaitSentence =>
  (wait, time, reason, isEarliest) => {
    if (reason === 'connection' || reason === 'service') return `${retryingIn(wait, time)}.`
    return `Wird ${isEarliest ? 'frühestens ' : ''}in ${withTime(wait, time)} ${done}.`
  }

/** German. */
export const de: PetstoreLabels = {
  locale: 'de',
  categoryForm: {
    title: 'Neue Kategorie',
    close: 'Schließen',
    name: 'Name',
    nameHint: 'Zum Beispiel Kaninchen',
    description: 'Beschreibung',
    optional: '(optional)',
    submit: 'Kategorie anlegen',
    submitting: 'Wird angelegt …',
    held: 'Wartet …',
    submitIn: (wait, time) => `Anlegen ${time ?? `in ${wait}`}`,
    waitReasons,
    savingIn: happensIn('angelegt'),
    cancel: 'Abbrechen',
    cancelled: 'Abgebrochen. Es wurde keine Kategorie angelegt.',
    created: (name) => `„${isolate(name)}“ wurde angelegt.`,
    show: 'Anzeigen',
    createdUnread: (name) =>
      `„${isolate(name)}“ wurde angelegt, aber die Antwort war nicht lesbar. Nach dem Aktualisieren steht sie in der Liste.`,
    nameMissing: 'Geben Sie einen Namen ein.',
    nameInvalid: 'Dieser Name kann nicht verwendet werden.',
    descriptionInvalid: 'Diese Beschreibung kann nicht verwendet werden.',
    createAnyway: 'Trotzdem anlegen',
  },
  categoryList: {
    name: 'Kategorien',
    loading: 'Kategorien werden geladen …',
    waiting: withReason(waitReasons, happensIn('geladen')),
    empty: 'Noch keine Kategorien',
    emptyHint: 'Neue Kategorien erscheinen hier.',
    filter: 'Kategorien filtern',
    clearFilter: 'Filter zurücksetzen',
    noMatch: (filter) => `Keine Kategorien gefunden für „${isolate(filter)}“.`,
    noMatchHint: 'Prüfen Sie die Schreibweise oder leeren Sie den Filter.',
    total: (count, { plural }) => plural(count, { one: '# Kategorie', other: '# Kategorien' }),
    matches: (count, total, { number, plural }) =>
      `${number(count)} von ${plural(total, { one: '# Kategorie', other: '# Kategorien' })}`,
    shown: (shown, total, { number }) => `${number(shown)} von ${number(total)} werden angezeigt`,
    showMore: (count, { number }) => `${number(count)} weitere anzeigen`,
    refresh: 'Aktualisieren',
    refreshing: 'Wird aktualisiert …',
    refreshed: 'Die Kategorien sind auf dem neuesten Stand.',
    pending: 'Wird angelegt …',
    held: 'Wartet …',
    selectAll: 'Alle auswählen',
    clearSelection: 'Auswahl aufheben',
    selected: (count, { number }) => `${number(count)} ausgewählt`,
  },
  errorNotice: {
    errors: {
      'bad-request': {
        title: 'Eine Eingabe kann nicht verwendet werden',
        advice: 'Ändern Sie sie, und versuchen Sie es erneut.',
      },
      authentication: { title: 'API-Schlüssel abgelehnt', advice: 'Der API-Schlüssel fehlt oder ist ungültig.' },
      'rate-limit': { title: 'Anfragelimit erreicht', advice: 'Der Dienst begrenzt die Zahl Ihrer Anfragen.' },
      server: { title: 'Der Dienst hat ein Problem', advice: 'Versuchen Sie es gleich noch einmal.' },
      'unexpected-status': { title: 'Unerwartete Antwort', advice: 'Der Dienst hat eine unbekannte Antwort gesendet.' },
      'response-validation': {
        title: 'Unlesbare Antwort',
        advice: 'Die Antwort des Dienstes konnte nicht gelesen werden.',
      },
      'input-validation': {
        title: 'Bitte diese Felder prüfen',
        advice: 'Eine Angabe fehlt oder ist ungültig. Es wurde nichts gesendet.',
      },
      network: {
        title: 'Dienst nicht erreichbar',
        advice: 'Prüfen Sie Ihre Internetverbindung, und versuchen Sie es erneut.',
      },
      timeout: {
        title: 'Das dauert zu lange',
        advice: 'Der Dienst hat nicht rechtzeitig geantwortet. Versuchen Sie es erneut.',
      },
    },
    otherError: {
      title: 'Etwas ist schiefgegangen',
      advice: 'Die Anfrage wurde nicht abgeschlossen. Versuchen Sie es erneut.',
    },
    situations: {
      limitToday: { title: 'Anfragelimit für heute erreicht', advice: 'Für heute sind keine Anfragen mehr übrig.' },
      keyPaused: {
        title: 'Der Dienst hat den API-Schlüssel pausiert',
        advice: 'Der Dienst hat diesen API-Schlüssel pausiert.',
      },
      forbidden: { title: 'Nicht erlaubt', advice: 'Dieser API-Schlüssel hat keine Berechtigung.' },
      signedOut: { title: 'Sie sind abgemeldet', advice: 'Melden Sie sich an und versuchen Sie es dann erneut.' },
      notPermitted: { title: 'Nicht erlaubt', advice: 'Sie haben dafür keine Berechtigung.' },
      servicePaused: { title: 'Vom Dienst pausiert', advice: 'Der Dienst hat Ihre Anfragen pausiert.' },
      offline: { title: 'Sie sind offline', advice: 'Änderungen werden gesendet, sobald Sie wieder online sind.' },
      mayHaveHappened: {
        title: 'Es hat vielleicht geklappt',
        advice: 'Sehen Sie nach, bevor Sie es erneut versuchen.',
      },
      hasHappened: {
        title: 'Es hat geklappt, aber die Antwort war nicht lesbar',
        advice: 'Senden Sie es nicht noch einmal.',
      },
    },
    stillFailing: 'Weiterhin ein Fehler · gerade eben.',
    retry: 'Erneut versuchen',
    retryAnyway: 'Trotzdem erneut versuchen',
    retryIn: (wait, time, isAnotherDay) =>
      `Sie können es ${isAnotherDay ? time : `in ${withTime(wait, time)}`} erneut versuchen.`,
    pausedFor: (wait, time) =>
      time === undefined ? `In den nächsten ${wait} wird nichts gesendet.` : `Bis ${time} wird nichts gesendet.`,
    retryNow: 'Sie können es jetzt erneut versuchen.',
    retrying: 'Neuer Versuch läuft …',
    details: 'Details',
    code: 'Code',
    status: 'Status',
    operation: 'Vorgang',
    callId: 'Kennung des Aufrufs',
    headers: 'Header der Antwort',
    serviceSays: 'Meldung des Dienstes',
  },
  messageComposer: {
    title: 'Nachricht senden',
    message: 'Nachricht',
    hint: (keyboard) => (keyboard === 'apple' ? 'Senden mit ⌘ + Eingabetaste.' : 'Senden mit Strg + Eingabetaste.'),
    send: 'Senden',
    sendIn: (wait, time) => `Senden ${time ?? `in ${wait}`}`,
    empty: 'Geben Sie eine Nachricht ein.',
    limit: (maxLength, { plural }) => plural(maxLength, { other: 'Bis zu # Zeichen.' }),
    tooLong: (maxLength, { plural }) => plural(maxLength, { other: 'Kürzen Sie den Text auf höchstens # Zeichen.' }),
    charactersLeft: (count, { plural }) => plural(count, { other: 'Noch # Zeichen' }),
    charactersOver: (count, { plural }) => plural(count, { other: '# Zeichen zu viel' }),
    announcement: (excerpt, state) => `„${isolate(excerpt)}“: ${state}`,
    outbox: 'Nachrichten',
    sending: 'Wird gesendet …',
    waiting: withReason(waitReasons, happensIn('gesendet')),
    queued: 'In der Warteschlange',
    accepted: 'Angenommen · Status:',
    failedBecause: (reason) => `Nicht gesendet · ${reason}`,
    acceptedUnread: 'Gesendet, aber die Antwort war nicht lesbar',
    cancelled: 'Abgebrochen',
    retryAnyway: 'Trotzdem noch einmal senden',
    edit: 'Bearbeiten',
    editBlocked: 'Senden oder löschen Sie zuerst Ihre aktuelle Nachricht.',
    cancel: 'Abbrechen',
    discard: 'Verwerfen',
    showAll: 'Alles anzeigen',
    showLess: 'Weniger anzeigen',
  },
  rateLimitBadge: {
    title: 'API-Anfragen',
    meter: 'Verbleibende Anfragen',
    idle: 'Noch keine Antwort',
    waitsForNext: 'Die nächste Antwort zeigt, was übrig ist',
    unknown: 'Wird geprüft …',
    ok: 'Verfügbar',
    low: 'Wird knapp',
    exhausted: 'Aufgebraucht',
    exhaustedUntil: (time) => `Aufgebraucht bis ${time}`,
    coolingDown: 'Pausiert',
    pausedUntil: (time) => `Pausiert bis ${time}`,
    rejected: 'Schlüssel abgelehnt',
    waitsForKey: 'Wartet auf einen gültigen Schlüssel',
    waiting: (count, { number }) => `Wartend: ${number(count)}`,
    connection: 'Dienst nicht erreichbar',
    remaining: (remaining, limit, { number, plural }) =>
      `Noch ${number(remaining)} von ${plural(limit, { one: '# Anfrage', other: '# Anfragen' })}`,
    remainingOnly: (remaining, { plural }) => plural(remaining, { one: 'Noch # Anfrage', other: 'Noch # Anfragen' }),
    nextIn: (wait) => `Weiter in ${wait}`,
    retryingIn,
    resetsIn: (wait) => `Zurücksetzung in ${wait}`,
    resetsAt: (time) => `Zurücksetzung ${time}`,
    restored: 'Sie können wieder Anfragen senden.',
  },
}
