/** Where the service is, and the key for it. Read at each request, on the server alone. */
export function service() {
  const { PETSTORE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env
  if (!baseUrl || !apiKey) throw new Error('Set PETSTORE_URL and PETSTORE_API_KEY.')
  return { baseUrl, apiKey }
}
