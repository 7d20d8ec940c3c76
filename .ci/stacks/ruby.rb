# The interface on Ruby's WEBrick. A sliding log for each key: a request counts for as long as the window is.
require 'json'
require 'webrick'

FLAW = ENV.fetch('FLAW', '')
STATUSES = %w[available pending sold].freeze
INT64 = (-(2**63)..(2**63 - 1)).freeze
LIMITS = { ENV.fetch('API_KEY') => [1000, 60], ENV.fetch('THROTTLE_KEY') => [12, 3], nil => [60, 60] }.freeze

class Refusal < StandardError
  attr_reader :status, :body

  def initialize(status, code, message)
    super(message)
    @status = status
    @body = { code: code, message: message, status: status }
  end
end

class Pets < WEBrick::HTTPServlet::AbstractServlet
  PETS = []
  LOGS = Hash.new { |logs, key| logs[key] = [] }
  LOCK = Mutex.new

  def do_GET(req, res)
    answer(req, res) do
      case req.path
      when '/v1/pets' then [200, page(req.query)]
      when %r{\A/v1/pets/([^/]+)\z} then [200, pet(Regexp.last_match(1))]
      else raise Refusal.new(404, 'not_found', 'nothing is here')
      end
    end
  end

  def do_POST(req, res)
    answer(req, res) do
      raise Refusal.new(404, 'not_found', 'nothing is here') unless req.path == '/v1/pets'

      [201, create(req.body.to_s)]
    end
  end

  private

  def answer(req, res)
    scheme, token = req['authorization'].to_s.split(' ', 2)
    key = token if scheme.to_s.casecmp?('bearer') && LIMITS.key?(token)
    charge(key, res)
    if key.nil?
      res['WWW-Authenticate'] = 'Bearer'
      raise Refusal.new(401, 'unauthorized', 'send a valid key')
    end
    res.status, body = yield
    write(res, body)
  rescue Refusal => e
    raise WEBrick::HTTPStatus::NotFound if FLAW == 'html-404' && e.status == 404

    res.status = e.status
    write(res, FLAW == 'wrapped-errors' ? { error: e.body } : e.body)
  end

  def write(res, body)
    res['Content-Type'] = 'application/json'
    res.body = JSON.generate(body)
  end

  def charge(key, res)
    limit, seconds = LIMITS[key]
    now = Time.now.to_f
    LOCK.synchronize do
      log = LOGS[key]
      log.shift while log.any? && log.first <= now - seconds
      allowed = log.size < limit
      log << now if allowed
      # The whole limit is there again once the newest request has left the log.
      reset = (log.last + seconds).ceil
      res['X-RateLimit-Limit'] = limit.to_s
      res['X-RateLimit-Remaining'] = (limit - log.size).to_s
      res['X-RateLimit-Reset'] = (FLAW == 'milliseconds' ? reset * 1000 : reset).to_s
      next if allowed

      res['Retry-After'] = [(log.first + seconds - now).ceil, 1].max.to_s
      raise Refusal.new(FLAW == 'throttled-503' ? 503 : 429, 'rate_limited', 'wait a little')
    end
  end

  def page(query)
    limit = query.fetch('limit', '20')
    raise Refusal.new(400, 'limit', 'limit is 1 to 100') unless limit.match?(/\A\d{1,3}\z/) && (1..100).cover?(limit.to_i)

    status = query['status']
    raise Refusal.new(400, 'status', "status is one of #{STATUSES.join(', ')}") unless status.nil? || STATUSES.include?(status)

    # The newest animals come first: the interface leaves the order open.
    found = PETS.reverse.select { |pet| status.nil? || pet[:status] == status }
    FLAW == 'limit-ignored' ? found : found.first(limit.to_i)
  end

  def pet(text)
    id = FLAW == 'to_i' ? text.to_i : Integer(text, 10, exception: false)
    found = PETS[id - 1] if id&.between?(1, PETS.size)
    found || raise(Refusal.new(404, 'no_pet', 'no such animal'))
  end

  def create(text)
    body = parse(text)
    name, category, status = body.values_at('name', 'categoryId', 'status')
    raise Refusal.new(400, 'name', 'name is a string') unless name.is_a?(String) && !name.include?("\0")
    raise Refusal.new(400, 'category', 'categoryId is an int64') unless category.is_a?(Integer) && INT64.cover?(category)
    unless STATUSES.include?(status) || !body.key?('status') || FLAW == 'any-status'
      raise Refusal.new(400, 'status', "status is one of #{STATUSES.join(', ')}")
    end

    LOCK.synchronize do
      PETS << { id: PETS.size + 1, name: name, categoryId: category, status: status || 'pending' }
      PETS.last
    end
  end

  def parse(text)
    body = JSON.parse(text.dup.force_encoding('UTF-8'))
    body.is_a?(Hash) ? body : raise(Refusal.new(400, 'body', 'the body is an object'))
  rescue JSON::ParserError
    raise Refusal.new(400, 'json', 'the body is JSON')
  end
end

server = WEBrick::HTTPServer.new(
  BindAddress: '127.0.0.1',
  Port: ENV.fetch('PORT').to_i,
  AccessLog: [],
  Logger: WEBrick::Log.new(File::NULL),
  # WEBrick writes head and body apart.
  AcceptCallback: ->(socket) { socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1) }
)
server.mount('/', Pets)
trap('TERM') { server.shutdown }
server.start
