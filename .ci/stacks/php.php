<?php
// The interface on PHP's built-in server. Each request runs this script anew; what lasts is in a file. A fixed window for each key.
declare(strict_types=1);

const STATUSES = ['available', 'pending', 'sold'];
$flaw = getenv('FLAW') ?: '';
$limits = [getenv('API_KEY') => [1000, 60], getenv('THROTTLE_KEY') => [12, 3], '' => [60, 60]];

ini_set('display_errors', $flaw === 'notice' ? '1' : '0');

$file = fopen(getenv('DATA'), 'c+');
flock($file, LOCK_EX);
$data = json_decode(stream_get_contents($file), true) ?? ['pets' => [], 'windows' => []];

[$status, $body] = respond();
ftruncate($file, 0);
rewind($file);
fwrite($file, json_encode($data));
fclose($file);

http_response_code($flaw === 'always-200' && $status >= 400 ? 200 : $status);
header('Content-Type: application/json');
echo json_encode($body);

function refuse(int $status, string $code, string $message): array
{
    return [$status, ['status' => $status, 'code' => $code, 'message' => $message]];
}

function respond(): array
{
    global $limits, $flaw;
    $key = '';
    if (preg_match('/^bearer +(.+)$/i', $_SERVER['HTTP_AUTHORIZATION'] ?? '', $match) && isset($limits[$match[1]])) {
        $key = $match[1];
    }
    if (!charge($key)) {
        return refuse(429, 'rate_limited', 'Too many requests');
    }
    if ($key === '') {
        header('WWW-Authenticate: Bearer realm="pets"');
        return refuse(401, 'unauthorized', 'A valid key is required');
    }
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    if ($path === '/v1/pets') {
        return match ($_SERVER['REQUEST_METHOD']) {
            'GET', 'HEAD' => page(),
            'POST' => create(),
            default => refuse(405, 'method', 'GET or POST'),
        };
    }
    if (preg_match('#^/v1/pets/([^/]+)$#', $path, $match)) {
        return pet(rawurldecode($match[1]));
    }
    return refuse(404, 'not_found', 'Not found');
}

function charge(string $key): bool
{
    global $data, $limits;
    [$limit, $seconds] = $limits[$key];
    $name = hash('sha256', $key);
    $now = microtime(true);
    [$start, $used] = $data['windows'][$name] ?? [0, 0];
    if ($now >= $start + $seconds) {
        [$start, $used] = [$now, 0];
    }
    $allowed = $used < $limit;
    $data['windows'][$name] = [$start, $used + ($allowed ? 1 : 0)];
    header("X-RateLimit-Limit: $limit");
    header('X-RateLimit-Remaining: ' . ($limit - $data['windows'][$name][1]));
    header('X-RateLimit-Reset: ' . (int) ceil($start + $seconds));
    if (!$allowed) {
        header('Retry-After: ' . max(1, (int) ceil($start + $seconds - $now)));
    }
    return $allowed;
}

function page(): array
{
    global $data, $flaw;
    $limit = filter_var($_GET['limit'] ?? 20, FILTER_VALIDATE_INT);
    $status = $_GET['status'] ?? null;
    if ($limit === false || $limit < 1) {
        return refuse(400, 'limit', 'limit is a number from 1 to 100');
    }
    if ($status !== null && !in_array($status, STATUSES, true)) {
        return [200, []];
    }
    $found = array_filter($data['pets'], fn($pet) => $status === null || ($pet['status'] ?? null) === $status);
    // A greater limit is served as 100. array_filter keeps the indexes of what it leaves: such an array is an object in JSON.
    $page = array_slice($found, 0, min($limit, 100), $flaw === 'sparse');
    return [200, $page];
}

function pet(string $text): array
{
    global $data, $flaw;
    $id = $flaw === 'intval' ? intval($text) : filter_var($text, FILTER_VALIDATE_INT);
    if ($id === false) {
        return refuse(404, 'not_found', 'No such animal');
    }
    if ($flaw === 'notice' && !isset($data['pets'][$id - 1])) {
        return [404, $data['pets'][$id - 1]];
    }
    return isset($data['pets'][$id - 1]) ? [200, $data['pets'][$id - 1]] : refuse(404, 'not_found', 'No such animal');
}

function create(): array
{
    global $data, $flaw;
    $pet = json_decode(file_get_contents('php://input'));
    if (!is_object($pet)) {
        return refuse(400, 'body', 'The body is a JSON object');
    }
    $name = $pet->name ?? null;
    $category = $pet->categoryId ?? null;
    $isCategory = $flaw === 'is_numeric' ? is_numeric($category) : is_int($category);
    if (!is_string($name) || str_contains($name, "\0") || !$isCategory) {
        return refuse(400, 'pet', 'name is a string, categoryId is an integer');
    }
    if (property_exists($pet, 'status') && !in_array($pet->status, STATUSES, true)) {
        return refuse(400, 'status', 'status is one of ' . implode(', ', STATUSES));
    }
    $created = ['id' => count($data['pets']) + 1, 'name' => $name, 'categoryId' => (int) $category, 'status' => $pet->status ?? 'available'];
    $data['pets'][] = $created;
    return [201, $created];
}
