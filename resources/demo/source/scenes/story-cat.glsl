// A cat on the sill, looking out at the snow.

float cat(vec2 p) {
  float body = length((p - vec2(0.0, 0.17)) * vec2(1.12, 0.80)) - 0.165;
  float chest = length((p - vec2(-0.035, 0.31)) * vec2(1.1, 0.8)) - 0.098;
  float head = length((p - vec2(-0.055, 0.455)) * vec2(0.94, 1.08)) - 0.088;
  float d = blend(blend(body, chest, 0.10), head, 0.05);
  for (int i = 0; i < 2; i++) {
    float s = i == 0 ? -1.0 : 1.0;
    vec2 q = p - vec2(-0.055 + s * 0.052, 0.520);
    q.x *= s;
    float ear = max(dot(q, normalize(vec2(1.0, 0.46))) - 0.026, dot(q, normalize(vec2(-1.0, 0.30))) - 0.024);
    d = blend(d, max(ear, -q.y - 0.03), 0.014);
  }
  vec2 t = p - vec2(0.12, 0.03);
  float tail = min(segment(t, vec2(0.0), vec2(0.17, -0.02)) - 0.026, segment(t, vec2(0.17, -0.02), vec2(0.205, -0.30)) - 0.024);
  d = blend(d, blend(tail, length(t - vec2(0.19, -0.33)) - 0.024, 0.03), 0.05);
  return d + 0.0035 * noise(p * 130.0);
}

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 disc = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  float sill = -0.42;
  vec2 p = uv + 0.016 * disc;
  vec3 c = mix(vec3(0.74, 0.82, 0.92), vec3(0.46, 0.58, 0.74), smoothstep(-0.4, 0.9, p.y));
  for (int k = 0; k < 3; k++) {
    float depth = float(k), roof = -0.10 - 0.10 * depth + 0.10 * abs(fract(p.x * (1.3 + 0.4 * depth) + 0.3 * depth) - 0.5) * 2.0;
    vec3 house = mix(vec3(0.40, 0.47, 0.58), vec3(0.20, 0.22, 0.29), depth / 2.0);
    c = mix(c, house, smoothstep(0.012, -0.012, p.y - roof));
    c = mix(c, vec3(0.88, 0.92, 0.98), smoothstep(0.012, -0.006, abs(p.y - roof) - 0.014));
    vec2 g = vec2(p.x * 9.0, (p.y - roof) * 8.0), cell = floor(g);
    c += vec3(1.0, 0.60, 0.22) * 0.75 * step(p.y, roof - 0.05) * step(0.80, hash2(cell + depth * 9.0)) * smoothstep(0.30, 0.2, max(abs(fract(g.x) - 0.5), abs(fract(g.y) - 0.5)));
  }
  for (int k = 0; k < 3; k++) {
    vec2 q = (turn(0.12) * p) * (6.0 + 5.0 * float(k)) + float(k) * 3.0, cell = floor(q);
    float flake = length(fract(q) - 0.25 - 0.5 * hash22(cell));
    c = mix(c, vec3(0.97), smoothstep(0.10, 0.05, flake) * step(0.45, hash2(cell + 7.0)) * 0.85);
  }
  c = mix(c, c * 1.05 + 0.05, smoothstep(0.45, 0.7, fbm(uv * 4.0 + 2.0, 4)) * smoothstep(0.0, -0.4, uv.y));
  float bars = min(abs(uv.x - 0.15), abs(uv.y - 0.38)) - 0.013;
  float outer = -box2(uv - vec2(0.0, 0.28), vec2(0.46, 0.72));
  vec3 white = vec3(0.30, 0.33, 0.39) * (0.8 + 0.2 * noise(uv * vec2(30.0, 4.0)));
  c = mix(c, white * (0.75 + 0.4 * smoothstep(-0.013, 0.0, bars)), smoothstep(0.003, -0.003, min(bars, outer)));
  float drape = smoothstep(0.0, 0.02, abs(uv.x + 0.02 * sin(uv.y * 3.0)) - 0.40 - 0.05 * smoothstep(-0.4, 0.9, uv.y));
  float pleat = 0.5 + 0.5 * sin(uv.x * 74.0 + 1.4 * sin(uv.y * 2.5));
  c = mix(c, vec3(0.54, 0.40, 0.30) * (0.30 + 0.50 * pleat), drape * 0.96 * step(sill, uv.y));
  if (uv.y < sill) {
    float d = sill - uv.y;
    c = d < 0.055 ? vec3(0.62, 0.60, 0.58) * (1.05 - 5.0 * d) : vec3(0.115, 0.092, 0.082) * (0.75 + 0.35 * fbm(uv * 3.0, 4)) * (1.0 - 0.45 * smoothstep(0.16, 0.055, d));
    if (d < 0.055) c *= 1.0 - 0.65 * exp(-pow((uv.x + 0.03) * 5.5, 2.0));
    if (d > 0.18) {
      float rib = abs(fract(uv.x * 7.5) - 0.5);
      c = vec3(0.30, 0.29, 0.28) * (0.30 + 0.9 * smoothstep(0.5, 0.2, rib)) * smoothstep(0.18, 0.21, d) * (0.85 - 0.4 * smoothstep(0.2, 0.6, d));
    }
  }
  vec2 q = uv - vec2(-0.02, sill + 0.005);
  float fur = cat(q);
  vec3 coat = vec3(0.020, 0.017, 0.017) * (0.7 + 0.8 * noise(vec2(q.x * 90.0, q.y * 40.0)));
  coat += vec3(0.34, 0.42, 0.54) * smoothstep(-0.022, 0.0, fur) * smoothstep(-0.05, 0.25, q.y) * 0.75;
  c = mix(c, coat, smoothstep(0.004, -0.004, fur));
  float whisk = 9.0;
  for (int i = 0; i < 3; i++) whisk = min(whisk, segment(q, vec2(-0.128, 0.440 - 0.008 * float(i)), vec2(-0.20, 0.458 - 0.024 * float(i))) - 0.0007);
  c = mix(c, vec3(0.85), smoothstep(0.0022, 0.0, whisk) * 0.45);
  vec2 pot = uv - vec2(0.305, sill + 0.085);
  float clay = max(abs(pot.x) - 0.062 - 0.20 * pot.y * 0.8, abs(pot.y) - 0.083), leaf = 9.0;
  for (int i = 0; i < 9; i++) {
    float a = -1.25 + 0.31 * float(i), len = 0.13 + 0.09 * hash1(float(i) * 3.0);
    vec2 tip = vec2(sin(a), cos(a)) * len;
    leaf = min(leaf, segment(pot - vec2(0.0, 0.085), vec2(0.0), tip) - 0.014 * (1.0 - 0.7 * clamp(length(pot - vec2(0.0, 0.085)) / len, 0.0, 1.0)));
  }
  c = mix(c, vec3(0.035, 0.055, 0.035), smoothstep(0.003, -0.003, leaf));
  return mix(c, vec3(0.16, 0.075, 0.045) * (0.5 + 0.8 * smoothstep(0.06, -0.06, pot.x)), smoothstep(0.003, -0.003, clay));
}
