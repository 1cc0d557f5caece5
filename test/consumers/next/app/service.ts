/** The service's address and API key. The server reads them at each request. */
export function service() {
  const { PETSTORE_URL: baseUrl, PETSTORE_API_KEY: apiKey } = process.env
  if (!baseUrl || !apiKey) throw new Error('Set PETSTORE_URL and PETSTORE_API_KEY.')
  return { baseUrl, apiKey }
}
