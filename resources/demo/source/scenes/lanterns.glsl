// Paper lanterns on three strings, warm against the blue hour, a street out of focus below.

void lantern(inout vec3 c, vec2 p, vec2 at, float r, float id, float soft) {
  vec2 q = (p - at) / r;
  q.y *= 1.12;
  float d = length(q), edge = soft / r;
  vec3 tint = id < 0.5 ? vec3(1.0, 0.22, 0.07) : id < 0.74 ? vec3(1.0, 0.60, 0.20) : id < 0.9 ? vec3(1.0, 0.84, 0.55) : vec3(0.95, 0.26, 0.38);
  c += tint * 0.10 * exp(-2.2 * max(d - 1.0, 0.0)) * step(1.0, d);
  if (d < 1.0 + edge) {
    float z = sqrt(max(0.0, 1.0 - d * d)), rib = abs(fract(q.y * 6.5 / (0.55 + 0.45 * z)) - 0.5);
    vec3 paper = tint * (0.55 + 1.5 * z * z + 1.4 * exp(-5.0 * dot(q + vec2(0.0, 0.15), q + vec2(0.0, 0.15))));
    paper *= 1.0 - 0.38 * smoothstep(0.38, 0.5, rib) * smoothstep(0.06, 0.0, soft);
    paper *= 0.9 + 0.2 * fbm(q * 4.0 + id * 30.0, 4);
    c = mix(c, paper * 1.25, smoothstep(1.0 + edge, 1.0 - edge, d));
  }
  float cap = max(abs(q.x) - 0.34, abs(abs(q.y) - 1.0) - 0.085);
  c = mix(c, vec3(0.030, 0.014, 0.010), smoothstep(edge, -edge, cap));
  float tassel = max(abs(q.x) - 0.055 - 0.02 * sin(q.y * 30.0), max(-q.y - 1.75, q.y + 1.08));
  c = mix(c, tint * 0.30, smoothstep(edge, -edge, tassel) * 0.9);
}

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 disc = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  vec2 p = uv + 0.020 * disc;
  vec3 c = mix(vec3(0.10, 0.085, 0.14), vec3(0.030, 0.060, 0.150), smoothstep(-0.4, 0.9, p.y));
  c += vec3(0.20, 0.075, 0.03) * exp(-2.0 * abs(p.y + 0.75));
  for (int i = 0; i < 70; i++) {
    float k = float(i);
    vec2 at = vec2(3.2 * (hash1(k * 2.1) - 0.5), -0.55 - 0.50 * hash1(k * 4.3));
    float r = 0.025 + 0.055 * hash1(k * 6.1), d = length(p - at);
    c += mix(vec3(1.0, 0.55, 0.2), vec3(1.0, 0.85, 0.65), hash1(k)) * smoothstep(r, r * 0.85, d) * 0.30 * hash1(k * 8.0);
  }
  for (int k = 0; k < 3; k++) {
    float row = float(k), soft = k == 0 ? 0.026 : k == 1 ? 0.004 : 0.060, r = k == 0 ? 0.058 : k == 1 ? 0.112 : 0.27;
    vec2 q = uv + disc * (k == 0 ? 0.022 : k == 1 ? 0.0 : 0.055);
    int count = k == 0 ? 11 : k == 1 ? 8 : 4;
    float a = k == 0 ? -0.06 : k == 1 ? 0.20 : 0.55, tilt = k == 0 ? -0.10 : k == 1 ? 0.20 : -0.34, sag = k == 0 ? 0.22 : k == 1 ? 0.20 : 0.10;
    float wire = abs(q.y - (a + tilt * q.x + sag * q.x * q.x + r * 1.2));
    c = mix(c, vec3(0.008), smoothstep(0.004 + 0.4 * soft, 0.0015, wire) * (k == 1 ? 0.95 : 0.5));
    for (int i = 0; i < count; i++) {
      float id = hash2(vec2(float(i) + 4.0, row * 5.0 + 1.0)), x = -1.45 + 2.9 * (float(i) + 0.35 + 0.3 * id) / float(count);
      lantern(c, q, vec2(x, a + tilt * x + sag * x * x - 0.02), r * (0.88 + 0.24 * hash1(id * 5.0)), hash1(id * 11.0), 0.004);
    }
  }
  return c;
}
